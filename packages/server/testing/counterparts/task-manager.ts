/** A small task manager that accepts tasks and reports to the callback URL of a task. */
import { text } from 'node:stream/consumers';
import { sendJson, startWebServer } from './web-server.ts';

export interface Task extends Record<string, unknown> {
  callback_url: string;
  callback_content: string;
}

export async function startTaskManager() {
  const tasks: Task[] = [];
  const server = await startWebServer((request, response) => {
    const accept = async () => {
      const body = await text(request);
      if (request.method !== 'POST' || request.url !== '/api/v1/tasks') return sendJson(response, 404, {});
      const task = JSON.parse(body) as Task;
      if (typeof task['project'] !== 'string') return sendJson(response, 422, { message: 'project is missing' });
      tasks.push(task);
      return sendJson(response, 201, { uri: `/api/v1/tasks/${tasks.length}` });
    };
    accept().catch(() => response.destroy());
  });
  return {
    ...server,
    tasks,
    /** Reports that a user has finished the task. */
    report: (task: Task) =>
      fetch(task.callback_url, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: task.callback_content,
      }),
  };
}

export type TaskManager = Awaited<ReturnType<typeof startTaskManager>>;
