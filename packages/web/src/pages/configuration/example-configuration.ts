/** A configuration to start from. */
export const exampleConfiguration = `external_systems:
  - system_name: XNAT
    url: https://xnat.example.org

scantypes:
  - protocol: T1w
    modality: MR
  - protocol: FLAIR
    modality: MR
`;
