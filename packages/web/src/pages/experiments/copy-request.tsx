import { Button, Menu } from '@mantine/core';
import { curlText, pythonText, type RequestText } from '../../api/request-text.ts';
import { useSession } from '../../session/session-context.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import { Icon } from '../../ui/icon.tsx';

const forms = [
  { name: 'curl', text: curlText },
  { name: 'Python', text: pythonText },
];

interface Props {
  /** The name of the action: `Retry`. */
  what: string;
  request: Omit<RequestText, 'username'>;
}

/** Copies the request of a button as a curl command or a Python script. */
export function CopyRequest({ what, request }: Props) {
  const { username } = useSession().user;
  const copy = async ({ name, text }: (typeof forms)[number]) => {
    await navigator.clipboard.writeText(text({ ...request, username }));
    announceDone(`Copied “${what}” as ${name}.`);
  };
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button rightSection={<Icon name="down" />}>Copy as…</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        {forms.map((form) => (
          <Menu.Item key={form.name} onClick={() => void copy(form).catch(announceProblem)}>
            {form.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
