import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { followOtherTabs, sessionKey } from './other-tabs.ts';

it.each(['began', 'ended'])('removes all cached data when a session %s in another tab (V14.3.1)', async (happened) => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['listCohorts', {}], { cohorts: [] });
  queryClient.setQueryData(sessionKey, { user: { id: 1 } });
  const stop = followOtherTabs(queryClient);
  const otherTab = new BroadcastChannel('milepost-session');
  otherTab.postMessage(happened);
  await expect.poll(() => queryClient.getQueryData(['listCohorts', {}])).toBeUndefined();
  expect(queryClient.getQueryData(sessionKey)).toBeUndefined();
  otherTab.close();
  stop();
});
