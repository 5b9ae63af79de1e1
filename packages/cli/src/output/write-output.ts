/** Writes data to standard output. A full disk or a closed pipe ends the command, so incomplete data is never reported as complete. */

const batchLength = 32_768;
let pending = '';

export const writeNow = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

export async function flushOutput(): Promise<void> {
  const text = pending;
  pending = '';
  if (text !== '') await writeNow(text);
}

/** Collects short texts, because one system call for each row would dominate a long list. */
export async function writeOutput(text: string): Promise<void> {
  pending += text;
  if (pending.length >= batchLength) await flushOutput();
}

/** For messages about the work: standard output has nothing but data. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
