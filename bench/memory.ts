/** The memory of a process in MB, from /proc (Linux only). */
import { readFile, writeFile } from 'node:fs/promises';

export interface Memory {
  resident: number;
  /** Since the last `resetPeak`. */
  peak: number;
  /** Of the resident memory: files such as Node itself, whose pages other processes share. */
  files: number;
}

export async function readMemory(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6;
  return { resident: read('VmRSS'), peak: read('VmHWM'), files: read('RssFile') };
}

/** See proc(5), clear_refs. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
