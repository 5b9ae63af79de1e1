/** Shows why single sign-on failed, from the code in the URL. */
import { signInProblemParameter, signInProblems, type SignInProblem as Code } from '@milepost/api';
import { paths } from '../paths.ts';
import { Icon } from '../ui/icon.tsx';
import shown from '../ui/placeholders.module.css';

const isKnown = (code: string): code is Code => Object.hasOwn(signInProblems, code);

/** The URL selects one of our own messages and adds no text, because anyone can create a link. */
function messageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | undefined {
  const code = pathname === paths.signIn ? new URLSearchParams(search).get(signInProblemParameter) : null;
  if (code === null) return undefined;
  return isKnown(code) ? signInProblems[code] : 'Single sign-on failed. Try again.';
}

export function SignInProblem() {
  const message = messageOf(window.location);
  return message === undefined ? null : (
    <div role="alert" className={shown['problem']}>
      <p className={shown['title']}>
        <Icon name="failed" /> Sign-in failed
      </p>
      <p className={shown['detail']}>{message}</p>
    </div>
  );
}
