import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { usePermission } from '../../../session/session-context.ts';

export const ImportWorkflowButton = () =>
  usePermission('workflow_manage') ? (
    <Button component={Link} variant="filled" to={paths.workflowImport}>
      Import workflow
    </Button>
  ) : null;
