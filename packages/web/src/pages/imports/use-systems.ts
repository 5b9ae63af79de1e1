/** The names of all external systems. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';

const systemsQuery = operationQuery('listExternalSystems', {}, ({ object_kind }) => object_kind === 'external_system');

const namesOf = ({ external_systems: systems }: BodyOf<'listExternalSystems'>) =>
  systems.map(({ system_name: name }) => name);

export const useSystems = () => useQuery({ ...systemsQuery, select: namesOf });
