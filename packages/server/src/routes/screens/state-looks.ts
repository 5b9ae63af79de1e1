/** How pages show states (docs/decisions/0023). */
import { maxStateLooks, type stateLookOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { listStateLooks } from '../../store/workflows/state-look.ts';

export const stateLookHandlers: Handlers<typeof stateLookOperations> = {
  async getStateLooks({ database }) {
    return ok({ states: await listStateLooks(database.db, maxStateLooks) });
  },
};
