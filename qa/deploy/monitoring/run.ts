/**
 * `npm run qa:monitoring`: the dashboard and the alert rules on a real Prometheus. `-- alerts` checks only the alerts. Needs Debian's
 * package prometheus.
 */
import { provokeAlerts } from './alerts.ts';
import { checkDashboard } from './dashboard.ts';

const checks = { dashboard: checkDashboard, alerts: provokeAlerts };
const names = process.argv.slice(2);

for (const [name, check] of Object.entries(checks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  for (const fault of await check()) {
    console.error(fault);
    process.exitCode = 1;
  }
}
process.exit();
