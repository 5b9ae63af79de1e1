/** The small services of the demo's cluster, which callbacks call: de-identification, measurements, pictures. */
import { between, fate } from './fate.ts';
import { serveJson, type Serving } from './serve-json.ts';
import { troubled, type Step } from './trouble.ts';

const steps: Readonly<Record<string, Step>> = {
  deface: (session) => ({ voxels_removed: between(90_000, 160_000, fate('face', session)) }),
  scrub: (session) => ({ fields_removed: between(12, 31, fate('fields', session)) }),
  motion: (session, time) => ({ motion_mm: between(0.1, 1.6, fate('motion', session, time), 2) }),
  /** The second time it was made with parameters for difficult pictures, and looks better. */
  contrast: (session, time) => ({ contrast: between(time === 1 ? 4 : 9, 24, fate('contrast', session, time), 1) }),
  render: (session) => ({ pictures: [`/pictures/${session}/axial.png`, `/pictures/${session}/coronal.png`] }),
  parameters: () => ({ parameters: 'robust' }),
};

const refusals = {
  deface: 'The face could not be found: the head is cut off in series 3',
  scrub: 'A name is burned into the pixels of series 1',
};

export const startPipeline = (): Promise<Serving> => serveJson(troubled({ steps, refusals }));
