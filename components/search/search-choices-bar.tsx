import { searchDialogStrings } from '@/lib/strings/search-dialog.ts'
import type { SearchChoices } from './search-choices.ts'

interface SearchChoicesBarProps {
  readonly choices: SearchChoices
  readonly onChange: (choices: SearchChoices) => void
}

/** Narrows and sorts what is found. */
export const SearchChoicesBar = ({ choices, onChange }: SearchChoicesBarProps) => (
  <div className="flex flex-wrap gap-x-1 border-b border-line px-2 py-1 text-sm text-muted">
    {(['place', 'edited', 'sort'] as const).map((name) => (
      <select
        key={name}
        aria-label={searchDialogStrings.choices[name].label}
        value={choices[name]}
        onChange={({ target }) => onChange({ ...choices, [name]: target.value })}
        className="min-h-9 min-w-0 rounded-lg bg-transparent px-2 hover:bg-sunk hover:text-ink"
      >
        {Object.entries(searchDialogStrings.choices[name].options).map(([value, text]) => (
          <option key={value} value={value} className="bg-raised text-ink">
            {text}
          </option>
        ))}
      </select>
    ))}
  </div>
)
