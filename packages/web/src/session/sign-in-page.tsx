import { useQuery } from '@tanstack/react-query';
import { nothing, operationQuery } from '../api/operation-query.ts';
import { Entrance } from './entrance.tsx';
import { OtherWays } from './other-ways.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInProblem } from './sign-in-problem.tsx';

const waysQuery = operationQuery('getSignInWays', {}, nothing);

/** The form is there at once. Other ways come when they are known; if they are not, people still sign in by the form. */
export function SignInPage() {
  const { data: ways } = useQuery(waysQuery);
  return (
    <Entrance title="Sign in" heading="Sign in to Milepost">
      <SignInProblem />
      <SignInForm />
      {ways ? <OtherWays ways={ways} /> : null}
    </Entrance>
  );
}
