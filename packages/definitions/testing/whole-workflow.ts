/** A workflow that uses every kind of part. */
export const wholeWorkflow = (label: string) => `# with a comment
label: ${label}
states:
  - label: arrived
    freetext: Scans are in
    callbacks:
      - label: check
        function: http
        callback_arguments: {url: "https://xnat.example.org/check", body: {z: 1, b: [2]}}
        initial_delay: 5
        variable_map: {usable: body, a: /b/c}
    transitions:
      - {destination: processed, condition: "callbacks['check'].result == 'success'", by: engine}
      - {destination: rejected, by: person}
  - label: processed
  - label: rejected
`;
