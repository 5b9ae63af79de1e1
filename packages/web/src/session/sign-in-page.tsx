import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery } from '../api/operation-query.ts';
import { PublicPage } from './public-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { SignInProblem } from './sign-in-problem.tsx';

const methodsQuery = operationQuery('getSignInWays', {}, noEvents);

/** Shows the form at once and the other methods when they are loaded, so that users can sign in even if that fails. */
export function SignInPage() {
  const { data: methods } = useQuery(methodsQuery);
  return (
    <PublicPage title="Sign in" heading="Sign in to Milepost">
      <SignInProblem />
      <SignInForm />
      {methods ? <SignInMethods methods={methods} /> : null}
    </PublicPage>
  );
}
