import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { usePermission } from '../../../session/session-context.ts';

export const NewRevisionButton = ({ workflowId }: { workflowId: number }) =>
  usePermission('workflow_manage') ? (
    <Button component={Link} to={paths.newRevision(workflowId)}>
      Import a new revision
    </Button>
  ) : null;
