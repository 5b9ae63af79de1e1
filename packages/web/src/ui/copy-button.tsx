import { Button } from '@mantine/core';
import { announceDone, announceProblem } from './announcements.tsx';

interface Props {
  /** What is copied, in lower case: `log`. */
  what: string;
  text: string;
}

export const CopyButton = ({ what, text }: Props) => {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announceDone(`Copied the ${what}.`);
  };
  return (
    <Button variant="subtle" onClick={() => void copy().catch(announceProblem)}>
      Copy {what}
    </Button>
  );
};
