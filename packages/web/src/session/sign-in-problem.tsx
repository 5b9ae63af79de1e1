/** Why single sign-on did not succeed, from the address that it led back to. */
import { signInProblemParameter, signInProblems, type SignInProblem as Code } from '@milepost/api';
import { paths } from '../paths.ts';
import { Icon } from '../shown/icon.tsx';
import shown from '../shown/states.module.css';

const isKnown = (code: string): code is Code => Object.hasOwn(signInProblems, code);

/** Only words of ours: an address can be made by anybody, and says nothing here but which of them. */
function wordsOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const code = pathname === paths.signIn ? new URLSearchParams(search).get(signInProblemParameter) : null;
  if (code === null) return undefined;
  return isKnown(code) ? signInProblems[code] : 'You are not signed in. Try again.';
}

export function SignInProblem() {
  const words = wordsOf(window.location);
  return words === undefined ? null : (
    <div role="alert" className={shown['problem']}>
      <p className={shown['title']}>
        <Icon name="failed" /> You are not signed in
      </p>
      <p className={shown['detail']}>{words}</p>
    </div>
  );
}
