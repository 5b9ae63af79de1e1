/** A workflow to start from: a decision with three results. */
export const exampleWorkflow = `label: my_workflow
initial: review
states:
  - label: review
    title: Review
    freetext: A person looks at the images and decides.
    decision: { due: 3d }
    transitions:
      - { destination: accepted, by: person, title: Accept }
      - { destination: scan_again, by: person, title: Scan again }
      - { destination: rejected, by: person, title: Reject }

  - { label: scan_again, title: To be scanned again, outcome: neutral }
  - { label: accepted, title: Accepted, outcome: good }
  - { label: rejected, title: Rejected, outcome: bad }
`;
