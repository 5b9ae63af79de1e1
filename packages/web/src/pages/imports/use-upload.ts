/** Uploads a spreadsheet and opens the page of its import. */
import { createClient, ProblemError, type Client, type Encoding } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { basePath } from '../../api/client.ts';
import { detectUnreachable } from '../../api/problems.ts';
import { paths } from '../../paths.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
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

async function send(upload: Upload, sending: Sending) {
  const start = await readStart(upload.file);
  try {
    return await create(start === byteOrderMark ? { ...upload, encoding: 'utf-8' } : upload, sending);
  } catch (error) {
    throw await explain(error, upload);
  }
}

interface Sending {
  client: Client;
  signal: AbortSignal;
}

const create = ({ file, cohortId, encoding, workflowId }: Upload, { client, signal }: Sending) =>
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
  const [percent, setPercent] = useState(0);
  const sending = useRef<AbortController>(undefined);
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (upload: Upload) => {
      sending.current = new AbortController();
      setPercent(0);
      const client = createClient({ baseUrl: basePath, fetch: detectUnreachable(fetchWithProgress(setPercent)) });
      return send(upload, { client, signal: sending.current.signal });
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
  return { start: (upload: Upload) => mutate(upload), cancel, isPending, percent, error };
}
