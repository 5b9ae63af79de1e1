/** Pages that need no session, whoever is signed in: each is fetched by those who go there. */
import { lazy, type ComponentType } from 'react';
import { paths } from '../paths.ts';

export const entrances: Readonly<Record<string, ComponentType>> = {
  [paths.forgotPassword]: lazy(async () => ({
    default: (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  })),
  [paths.resetPassword]: lazy(async () => ({
    default: (await import('./reset-password-page.tsx')).ResetPasswordPage,
  })),
};
