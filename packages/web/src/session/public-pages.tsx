/** The pages that need no session. Each loads on demand. */
import { lazy, type ComponentType } from 'react';
import { paths } from '../paths.ts';

export const publicPages: Readonly<Record<string, ComponentType>> = {
  [paths.forgotPassword]: lazy(async () => ({
    default: (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  })),
  [paths.resetPassword]: lazy(async () => ({
    default: (await import('./reset-password-page.tsx')).ResetPasswordPage,
  })),
};
