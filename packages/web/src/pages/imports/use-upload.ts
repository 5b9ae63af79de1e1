/** Uploads a spreadsheet and opens the page of its import. */
import { ProblemError, type Encoding } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { replaceImport, showImport } from './import-queries.ts';
import { isUtf8 } from './is-utf8.ts';

export interface Upload {
  file: File;
  cohortId: number;
  encoding: Encoding;
  workflowId: number | undefined;
}

/** The browser cannot read a file that has changed since it was chosen. */
export class FileChanged extends Error {}

/** The first bytes of a file that says itself that it is UTF-8. */
const byteOrderMark = '239,187,191';

async function readStart(file: File): Promise<string> {
  try {
    return new Uint8Array(await file.slice(0, 3).arrayBuffer()).join();
  } catch (error) {
    throw new FileChanged('The file has changed. Choose it again.', { cause: error });
  }
}

/** The server rejected a file whose encoding is another one. The cause is its error. */
export class NotUtf8 extends Error {}

async function explain(error: unknown, { file, encoding }: Upload): Promise<unknown> {
  const isRejected = error instanceof ProblemError && error.status === 400 && encoding === 'utf-8';
  return isRejected && !(await isUtf8(file)) ? new NotUtf8(error.message, { cause: error }) : error;
}

async function send(upload: Upload, signal: AbortSignal) {
  const start = await readStart(upload.file);
  try {
    return await create(start === byteOrderMark ? { ...upload, encoding: 'utf-8' } : upload, signal);
  } catch (error) {
    throw await explain(error, upload);
  }
}

const create = ({ file, cohortId, encoding, workflowId }: Upload, signal: AbortSignal) =>
  client.createImport({
    query: {
      cohort_id: cohortId,
      file_name: file.name.slice(0, 255),
      encoding,
      ...(workflowId === undefined ? {} : { workflow_id: workflowId }),
    },
    file,
    signal,
  });

export function useUpload(replaces: number | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const sending = useRef<AbortController>(undefined);
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (upload: Upload) => {
      sending.current = new AbortController();
      return send(upload, sending.current.signal);
    },
    onSuccess: async (created) => {
      const shown = replaces === undefined ? created : await replaceImport(replaces, created);
      showImport(queryClient, shown);
      await navigate(paths.importPage(created.id), { replace: true });
    },
  });
  useEffect(() => () => sending.current?.abort(), []);
  const cancel = () => {
    sending.current?.abort();
    reset();
  };
  return { start: (upload: Upload) => mutate(upload), cancel, isPending, error };
}
