/** For pages without experiments: how to add some. */
import { ImportIntoCohort, ImportSpreadsheet } from '../imports/import-button.tsx';
import { NewExperimentOfAny } from './experiment-forms.tsx';

export const howToAdd =
  'Create the first one, import a spreadsheet, or let the archive create experiments through the API when scans arrive.';

export const AddExperiments = ({ cohort }: { cohort?: { id: number } }) => (
  <>
    <NewExperimentOfAny variant="filled" />
    {cohort ? <ImportIntoCohort cohort={cohort} /> : <ImportSpreadsheet />}
  </>
);
