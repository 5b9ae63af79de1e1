import { afterAll, beforeAll } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { launchChromium, type Here } from './chromium.ts';

/**
 * For a file of tests: a product with data of its own, and a browser. Both are there as soon as the first hook runs. What the
 * product has to find when it starts is made before, and told by its settings.
 */
export function withProduct(data: string, prepare: () => Promise<Record<string, string>> = async () => ({})): Here {
  const here: Partial<Here> = {};
  let product: Product | undefined;
  beforeAll(async () => {
    const settings = await prepare();
    [product, here.browser] = await Promise.all([startProduct({ data, settings }), launchChromium()]);
    here.product = product;
  });
  afterAll(() => Promise.all([product?.stop(), here.browser?.close()]));
  return here as Here;
}
