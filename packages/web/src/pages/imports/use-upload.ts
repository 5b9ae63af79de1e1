/** Uploads a spreadsheet and opens the page of its import. */
import { ProblemError, type Encoding } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { client } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { showImport, stopReplaced } from './import-queries.ts';
import { isUtf8 } from './is-utf8.ts';

export interface Upload {
  file: File;
  cohortId: number;
  encoding: Encoding;
  workflowId: number | undefined;
}

/** The browser cannot read a file that has changed since it was chosen. */
export class FileChanged extends Error {}

async function checkReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
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
  await checkReadable(upload.file);
  try {
    return await create(upload, signal);
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
      if (replaces !== undefined) await stopReplaced(replaces);
      showImport(queryClient, created);
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
