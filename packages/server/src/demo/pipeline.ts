/** The simulated services of the pipeline that callbacks call: de-identification, measurements, images. */
import { withFailures, type Step } from './failures.ts';
import { between, fate } from './fate.ts';
import { serveJson, type JsonServer } from './serve-json.ts';

const steps: Readonly<Record<string, Step>> = {
  deface: (session) => ({ voxels_removed: between(90_000, 160_000, fate('face', session)) }),
  scrub: (session) => ({ fields_removed: between(12, 31, fate('fields', session)) }),
  motion: (session, time) => ({ motion_mm: between(0.1, 1.6, fate('motion', session, time), 2) }),
  /** The second segmentation uses parameters for difficult images and has more contrast. */
  contrast: (session, time) => ({ contrast: between(time === 1 ? 4 : 9, 24, fate('contrast', session, time), 1) }),
  render: (session) => ({ pictures: [`/pictures/${session}/axial.png`, `/pictures/${session}/coronal.png`] }),
  parameters: () => ({ parameters: 'robust' }),
};

const errors = {
  deface: 'No face found. The head is cut off in series 3.',
  scrub: 'A name is burned into the pixels of series 1.',
};

export const startPipeline = (): Promise<JsonServer> => serveJson(withFailures({ steps, errors }));
