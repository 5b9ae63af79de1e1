import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findSubjectId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';

const columns = ['id', 'label', 'cohort.label', 'date_of_birth', 'withdrawn.date', 'experiments.label', 'external_ids'];
const subject = { name: 'subject', about: 'COHORT/SUBJECT with their labels, or the id' } as const;
const birth = { takes: 'DATE', about: 'date of birth, such as 1961-04-30' } as const;
const cohort = { takes: 'COHORT', about: 'label of the cohort' } as const;

const list = defineCommand({
  path: 'subject list',
  summary: 'list subjects',
  options: { cohort, ...listOptions },
  examples: ['milepost subject list --cohort memory-clinic', 'milepost subject list --cohort memory-clinic -o ids'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const rows =
      values.cohort === undefined
        ? listRows(client, 'listSubjects', {}, values.limit)
        : listRows(client, 'listCohortSubjects', { params: { label: values.cohort } }, values.limit);
    await printRows(rows, values, { columns: ['id', 'label'], plural: 'subjects' });
  },
});

const get = defineCommand({
  path: 'subject get',
  summary: 'show a subject with its experiments',
  args: [subject],
  options: outputOptions,
  examples: ['milepost subject get memory-clinic/MC-0041'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const id = await findSubjectId(client, args.subject);
    await printOne(await client.getSubject({ params: { id } }), values, columns);
  },
});

const create = defineCommand({
  path: 'subject create',
  summary: 'create a subject',
  args: [{ name: 'label', about: 'label of the new subject' }],
  options: { cohort: { ...cohort, required: true }, 'date-of-birth': birth, ...outputOptions },
  examples: ['milepost subject create MC-0042 --cohort memory-clinic --date-of-birth 1961-04-30'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const born = values['date-of-birth'];
    const body = { label: args.label, cohort_label: values.cohort, ...(born !== undefined && { date_of_birth: born }) };
    await printOne(await client.createSubject({ body }), values, columns);
  },
});

const update = defineCommand({
  path: 'subject update',
  summary: 'change a subject',
  args: [subject],
  options: { label: { takes: 'TEXT', about: 'the new label' }, cohort, 'date-of-birth': birth, ...outputOptions },
  examples: ['milepost subject update memory-clinic/MC-0041 --date-of-birth 1958-11-02'],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const body = {
      ...(values.label !== undefined && { label: values.label }),
      ...(values.cohort !== undefined && { cohort_label: values.cohort }),
      ...(values['date-of-birth'] !== undefined && { date_of_birth: values['date-of-birth'] }),
    };
    const id = await findSubjectId(client, args.subject);
    await printOne(await client.updateSubject({ params: { id }, body }), values, columns);
  },
});

export const subjectCommands = [list, get, create, update];
