/**
 * `create_task`: creates a task in a task manager. The task contains what is needed to report back: the URL of the execution
 * and a success report with the secret of this attempt.
 */
import { suggestion } from '@milepost/api';
import { createTaskArguments } from '@milepost/definitions';
import type { Static } from 'typebox';
import type { Outgoing } from '../outgoing/create-outgoing.ts';
import { causeIn, sendRequest, type HttpResponse } from './send-request.ts';
import { PermanentFailure, type CallbackFunction, type RunResult, type Run } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';
import { readTaskBase } from './read-task-base.ts';
import { readJson } from './storable.ts';

type Arguments = Static<typeof createTaskArguments>;

const readArguments = argumentsReader(createTaskArguments);

export const createCreateTask =
  (outgoing: Outgoing, folder: string | undefined): CallbackFunction =>
  async (run) => {
    const given = readArguments(run.arguments);
    const system = urlOf(given.taskmanager_external_system_name ?? 'TASKMANAGER', run);
    const base = await readTaskBase(folder, given.task_base);
    const task = taskOf(given, base, run);
    const request = {
      url: `${system}/api/v1/tasks`,
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(task),
    };
    const response = await sendRequest(outgoing, run, request, isSuccess);
    const result = resultOf(response, task);
    return result.result === 'success' ? result : { ...result, cause: causeIn(response, request, run) };
  };

const isSuccess = (status: number) => status >= 200 && status < 300;

function urlOf(name: string, { externalSystems }: Run): string {
  if (!Object.hasOwn(externalSystems, name)) {
    const known = Object.keys(externalSystems);
    throw new PermanentFailure(`No external system "${name}". ${suggestion(name, known)}`);
  }
  return (externalSystems[name] ?? '').replace(/\/+$/, '');
}

function taskOf(given: Arguments, base: string, run: Run): Record<string, unknown> {
  const { execution, experiment } = run;
  const tags = [given.task_info['tags'] ?? []].flat();
  const moreTags = extraTags(given.extra_tags_var, run);
  return {
    ...given.task_info,
    ...(moreTags.length > 0 && { tags: [...tags, ...moreTags] }),
    content: fillIn(base, given.xnat_external_system ?? 'XNAT', run),
    callback_url: execution.apiUri,
    callback_content: JSON.stringify({ status: 'finished', result: 'success', secret_key: execution.secret }),
    generator_url: execution.webUri,
    tracking_id: experiment.label,
  };
}

/** The variable can hold one tag or a list of tags. */
function extraTags(variable: string | null | undefined, { experiment, log }: Run): string[] {
  const value = experiment.variables?.[variable ?? ''] ?? [];
  const tags = [value].flat();
  if (tags.every((tag) => typeof tag === 'string')) return tags;
  log(`Variable ${variable} is neither a string nor a list of strings. No tags were added.`);
  return [];
}

/** Replaces `$LABEL` and `${LABEL}`, and `$$` by `$`. In a JSON task base, values are escaped as JSON strings. */
function fillIn(base: string, system: string, run: Run): string {
  const { experiment, subject } = run;
  const values: Record<string, () => string | undefined> = {
    EXPERIMENT_ID: () => new Map(Object.entries(experiment.externalIds)).get(system),
    SUBJECT_ID: () => new Map(Object.entries(subject.externalIds)).get(system),
    LABEL: () => experiment.label,
    SYSTEM_URL: () => urlOf(system, run),
  };
  const isJson = readJson(base) !== undefined;
  return base.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, bare?: string, braced?: string) => {
    const name = bare ?? braced ?? '';
    if (whole === '$$') return '$';
    if (!Object.hasOwn(values, name)) return whole;
    const value = values[name]?.();
    if (value === undefined) {
      const owner = name === 'SUBJECT_ID' ? 'subject' : 'experiment';
      throw new PermanentFailure(`The task base uses ${whole}, but the ${owner} has no external ID in "${system}".`);
    }
    return isJson ? JSON.stringify(value).slice(1, -1) : value;
  });
}

function resultOf({ status, text }: HttpResponse, task: Record<string, unknown>): RunResult {
  const { uri = null } = (readJson(text) ?? {}) as { uri?: unknown };
  const values = { response_status_code: status, response_text: text, task_info: task, task_uri: uri };
  return isSuccess(status)
    ? { result: 'success', values }
    : { result: 'failed', values, reason: `Unexpected response: ${status} (expected 200–299).` };
}
