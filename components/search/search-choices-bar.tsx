import { useFolders } from '@/components/documents/folder-queries.ts'
import { folderRows } from '@/components/documents/folder-rows.ts'
import { folderPath } from '@/lib/protocol/folder-tree.ts'
import { searchDialogStrings } from '@/lib/strings/search-dialog.ts'
import type { SearchChoices } from './search-choices.ts'

interface SearchChoicesBarProps {
  readonly choices: SearchChoices
  readonly onChange: (choices: SearchChoices) => void
}

/** Narrows and sorts what is found. */
export function SearchChoicesBar({ choices, onChange }: SearchChoicesBarProps) {
  const { folders } = useFolders()
  const inFolders = folderRows(folders, () => true).map(({ folder: { id } }) => {
    const path = folderPath(folders, id).map(({ name }) => name)
    return [`folder:${id}`, path.join(' / ')] as const
  })
  return (
    <div className="flex flex-wrap gap-x-1 border-b border-line px-2 py-1 text-sm text-muted">
      {(['place', 'edited', 'sort'] as const).map((name) => (
        <select
          key={name}
          aria-label={searchDialogStrings.choices[name].label}
          value={choices[name]}
          onChange={({ target }) => onChange({ ...choices, [name]: target.value })}
          className="min-h-9 max-w-56 min-w-0 truncate rounded-lg bg-transparent px-2 hover:bg-sunk hover:text-ink"
        >
          {[
            ...Object.entries(searchDialogStrings.choices[name].options),
            ...(name === 'place' ? inFolders : []),
          ].map(([value, text]) => (
            <option key={value} value={value} className="bg-raised text-ink">
              {text}
            </option>
          ))}
        </select>
      ))}
    </div>
  )
}
