/** Files without findings. author-mistakes.ts puts one mistake at a time into them. */
export const faultlessWorkflow = `label: brain_mri
initial: arrived
states:
  - label: arrived
    callbacks:
      - label: check
        function: http
        callback_arguments:
          url: "{{external_systems.XNAT}}/check"
        variable_map: {usable: /body/usable}
    transitions:
      - destination: done
        condition: "experiment.variables['usable'] == true"
      - {destination: review, condition: "callbacks['check'].result == 'success'"}
      - {destination: review, by: person}
  - label: review
    decision: {}
    transitions:
      - {destination: done, by: person}
  - label: done
    freetext: All done
    outcome: good
`;

export const faultlessConfiguration = `roles:
  - name: pipeline
    permissions: [user_read, worker_run]
external_systems:
  - {system_name: XNAT, url: "https://xnat.example.org"}
`;

/** The external systems that exist. */
export const existingSystems = ['XNAT'];
