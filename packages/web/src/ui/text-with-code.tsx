import type { ReactNode } from 'react';

/** Words between two backticks are code. */
export const textWithCode = (text: string): ReactNode[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
