import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { followOtherTabs, sessionKey } from './other-tabs.ts';

describe('followOtherTabs', () => {
  it.each(['began', 'ended'])(
    'removes all cached data when another tab reports that a session %s (V14.3.1)',
    async (happened) => {
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
    },
  );
});
