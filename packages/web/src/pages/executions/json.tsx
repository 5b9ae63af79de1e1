import { PlainText } from '../../ui/plain-text.tsx';
import { MutedText } from '../../ui/section.tsx';

export const Json = ({ label, text, empty }: { label: string; text: string; empty: string }) =>
  text === '{}' || text === '' ? <MutedText>{empty}</MutedText> : <PlainText label={label} text={text} />;
