import { shortcutText } from '@/components/ui/shortcut-text.ts'

export const KeyNames = ({ keys }: { keys: string }) => (
  <kbd className="shrink-0 rounded border border-line bg-sunk px-1.5 py-0.5 font-sans text-xs whitespace-nowrap text-muted">
    {shortcutText(keys)}
  </kbd>
)
