import { afterAll, beforeAll } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { launchChromium, type Here } from './chromium.ts';

/** For a file of tests: a product with data of its own, and a browser. Both are there as soon as the first hook runs. */
export function withProduct(data: string): Here {
  const here: Partial<Here> = {};
  let product: Product | undefined;
  beforeAll(async () => {
    [product, here.browser] = await Promise.all([startProduct({ data }), launchChromium()]);
    here.product = product;
  });
  afterAll(() => Promise.all([product?.stop(), here.browser?.close()]));
  return here as Here;
}
