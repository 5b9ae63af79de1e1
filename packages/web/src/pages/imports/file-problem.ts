/** Files that the server would reject, so that users need not wait for the upload. */
import { maxImportMiB } from '@milepost/api';

const workbook = /\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i;
const bytesOfMiB = 1024 * 1024;

/** Says why the server would reject the file, and how to correct it. */
export function fileProblem({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (workbook.test(name)) return 'A workbook cannot be imported. Save it as CSV, and choose the CSV file.';
  if (size === 0) return 'The file is empty.';
  if (size > maxImportMiB * bytesOfMiB)
    return `The file has ${Math.ceil(size / bytesOfMiB)} MiB. The limit is ${maxImportMiB} MiB. Split it into several files.`;
  return undefined;
}
