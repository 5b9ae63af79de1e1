/**
 * Section 2 of the specification, "Resources and their fields", transcribed by hand in its order. A shape is the name of a type
 * or of a resource, an array with the shape of its elements, or an object of fields.
 */
export type Shape = string | readonly [Shape] | Fields;
export interface Fields {
  readonly [field: string]: Shape;
}

export const resources: Readonly<Record<string, Fields>> = {
  Ref: { id: 'integer', label: 'string', uri: 'string' },

  Action: {
    id: 'integer',
    uri: 'string',
    api_uri: 'string',
    web_uri: 'string',
    start_time: 'string',
    end_time: 'string',
    return_value: 'string',
    success: 'boolean',
    freetext: 'string',
    experiment: { id: 'integer', label: 'string', uri: 'string' },
    transition: { id: 'integer', uri: 'string' },
    executions: [{ id: 'integer', uri: 'string' }],
  },
  ActionSummary: { id: 'integer', return_value: 'string', success: 'boolean', uri: 'string' },

  Callback: {
    uri: 'string',
    label: 'string',
    description: 'string',
    function: 'string',
    condition: 'string',
    callback_arguments: 'string',
    initial_delay: 'integer',
    run_timeout: 'integer',
    wait_timeout: 'integer',
    state: 'Ref',
    executions: [{ id: 'integer', uri: 'string' }],
  },

  CallbackExecution: {
    id: 'integer',
    uri: 'string',
    api_uri: 'string',
    web_uri: 'string',
    action: 'Action',
    callback: 'Callback',
    cohort: {
      description: 'string',
      external_urls: 'object',
      id: 'integer',
      label: 'string',
      uri: 'string',
      subjects: ['Ref'],
    },
    experiment: {
      api_uri: 'string',
      external_ids: 'object',
      id: 'integer',
      label: 'string',
      scandate: 'string',
      state: 'Ref',
      subject: 'Ref',
      uri: 'string',
      variable_map: 'object',
      web_uri: 'string',
    },
    subject: {
      api_uri: 'string',
      cohort: 'Ref',
      date_of_birth: 'string',
      experiments: ['Ref'],
      external_ids: 'object',
      id: 'integer',
      label: 'string',
      uri: 'string',
      web_uri: 'string',
    },
    external_systems: 'object',
    created: 'string',
    wait_start: 'string',
    run_start: 'string',
    finished: 'string',
    status: 'string',
    result: 'string',
    result_log: 'string',
    run_log: 'string',
    result_values: 'object',
  },

  Cohort: {
    id: 'integer',
    uri: 'string',
    label: 'string',
    description: 'string',
    external_urls: 'object',
    subjects: ['Ref'],
  },

  Subject: {
    id: 'integer',
    uri: 'string',
    api_uri: 'string',
    web_uri: 'string',
    label: 'string',
    date_of_birth: 'string',
    cohort: 'Ref',
    experiments: ['Ref'],
    external_ids: 'object',
  },

  Experiment: {
    id: 'integer',
    uri: 'string',
    api_uri: 'string',
    web_uri: 'string',
    label: 'string',
    scandate: 'string',
    state: 'Ref',
    subject: 'Ref',
    external_ids: 'object',
    variable_map: 'object',
  },

  ExperimentLink: {
    id: 'integer',
    uri: 'string',
    experiment: 'Ref',
    external_id: 'string',
    external_system: 'ExternalSystem',
  },
  SubjectLink: {
    id: 'integer',
    uri: 'string',
    subject: 'Ref',
    external_id: 'string',
    external_system: 'ExternalSystem',
  },

  ExternalSystem: { id: 'integer', system_name: 'string', uri: 'string', url: 'string' },

  RoleSummary: { id: 'integer', name: 'string', uri: 'string' },
  Role: {
    id: 'integer',
    name: 'string',
    uri: 'string',
    description: 'string',
    permissions: ['string'],
    update_datetime: 'string',
  },

  Scan: {
    id: 'integer',
    uri: 'string',
    experiment: 'Ref',
    scantype: { id: 'integer', modality: 'string', protocol: 'string', uri: 'string' },
  },

  Scantype: { id: 'integer', modality: 'string', protocol: 'string', uri: 'string' },

  State: {
    id: 'integer',
    uri: 'string',
    label: 'string',
    freetext: 'string',
    workflow: 'Ref',
    experiments: ['Ref'],
    callbacks: ['string'],
  },

  Transition: {
    id: 'integer',
    uri: 'string',
    condition: 'string',
    source_state: 'Ref',
    destination_state: 'Ref',
  },
  TransitionSummary: { id: 'integer', uri: 'string' },

  User: {
    id: 'integer',
    uri: 'string',
    username: 'string',
    name: 'string',
    email: 'string',
    active: 'boolean',
    create_time: 'string',
  },
  UserSummary: { id: 'integer', name: 'string', uri: 'string', username: 'string' },

  ExperimentExternalIds: { experiment_id: 'integer', experiment_label: 'string', external_ids: 'object' },
  SubjectExternalIds: { subject_id: 'integer', subject_label: 'string', external_ids: 'object' },
  CohortExternalUrls: { cohort_id: 'integer', cohort_label: 'string', external_urls: 'object' },
  StateChangeResult: {
    success: 'boolean',
    error: 'object',
    state: { id: 'integer', label: 'string', uri: 'string' },
  },
  ConfigImportResult: {
    external_systems: ['ExternalSystem'],
    roles: [{ id: 'integer', name: 'string', uri: 'string' }],
    scantypes: ['Scantype'],
    users: ['UserSummary'],
    updated_at: 'string',
  },
  TimeoutCheckResult: { run_timeouts: 'integer', wait_timeouts: 'integer' },
};
