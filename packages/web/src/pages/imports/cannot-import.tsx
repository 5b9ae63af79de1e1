import { NotAllowed } from '../../ui/not-allowed.tsx';

export const CannotImport = () => <NotAllowed to="import spreadsheets" permission="sample_add" inCohort />;
