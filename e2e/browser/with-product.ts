import { afterAll, beforeAll } from 'vitest';
import { startProduct } from '../product.ts';
import { launchChromium, type Here } from './chromium.ts';

/** For a file of tests: a product with data of its own, and a browser. Both are there as soon as the first hook runs. */
export function withProduct(data: string): Here {
  const here: Partial<Here> = {};
  beforeAll(async () => {
    [here.product, here.browser] = await Promise.all([startProduct({ data }), launchChromium()]);
  });
  afterAll(() => Promise.all([here.product?.stop(), here.browser?.close()]));
  return here as Here;
}
