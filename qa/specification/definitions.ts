/** Workflow and configuration files. The specification does not show their format: docs/decisions/0008. */
import { password } from './http.ts';
import { unique } from './values.ts';

/** An experiment starts in `arrived`, and a user can move it to `processed` or `rejected`. */
export const workflowFile = (label: string): string => `
label: ${JSON.stringify(label)}
states:
  - label: arrived
    freetext: Scans are in the archive
    transitions:
      - {destination: processed, condition: "experiment.label != ''"}
      - {destination: rejected}
  - label: processed
    callbacks:
      - label: pipeline
        description: Processes the scans
        function: worker
        condition: "experiment.label != ''"
        callback_arguments: {queue: pipelines}
        wait_timeout: 60
        variable_map: {usable: /usable}
  - label: rejected
`;

export interface Names {
  system: string;
  /** A second system, whose name must be encoded in a path. */
  archive: string;
  role: string;
  protocol: string;
  user: string;
}

export const newNames = (): Names => ({
  system: unique('PACS'),
  archive: unique('archive (2) & more'),
  role: unique('reader'),
  protocol: unique('T1'),
  user: unique('reader'),
});

export const configurationFile = ({ system, archive, role, protocol, user }: Names): string => `
external_systems:
  - {system_name: ${system}, url: "https://pacs.example.org"}
  - {system_name: ${archive}, url: "https://archive.example.org"}
roles: [{name: ${role}, description: Reads study data, permissions: [user_read]}]
scantypes: [{protocol: ${protocol}, modality: MR}]
users:
  - {username: ${user}, email: ${user}@example.org, name: A reader, password: "${password}", roles: [${role}]}
`;
