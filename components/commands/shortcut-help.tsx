'use client'

import { Dialog } from '@base-ui/react/dialog'
import { Fragment, useState } from 'react'
import { Modal } from '@/components/ui/modal.tsx'
import { KeyNames } from './key-names.tsx'
import { commandKeysOf } from './command-registry.ts'
import { type CommandGroup, groupBySection } from './command-search.ts'
import { useCommandList } from './use-commands.ts'
import { commandsStrings } from '@/lib/strings/commands.ts'

/** Lists every command of this window that has keys, whether or not it is available now. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [open, setOpen] = useState(true)
  const groups = groupBySection(useCommandList().filter((command) => commandKeysOf(command).length > 0))
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={commandsStrings.shortcuts.title} wide>
        <div className="gap-8 lg:columns-2">
          {groups.map((group) => (
            <ShortcutGroup key={group.section} group={group} />
          ))}
        </div>
      </Modal>
    </Dialog.Root>
  )
}

const ShortcutGroup = ({ group: { section, items } }: { group: CommandGroup }) => (
  <section aria-label={commandsStrings.sections[section]} className="mb-5 break-inside-avoid">
    <h3 className="mb-1 text-sm font-semibold">{commandsStrings.sections[section]}</h3>
    <dl className="divide-y divide-line text-sm">
      {items.map((command) => (
        <div key={command.id} className="flex min-h-9 items-center gap-3 py-1">
          <dt className="min-w-0 flex-1">
            {command.title}
            {command.where && <span className="text-muted"> {command.where}</span>}
          </dt>
          <dd className="flex flex-wrap items-center justify-end gap-1.5 text-muted">
            {commandKeysOf(command).map((keys, index) => (
              <Fragment key={keys}>
                {index > 0 && commandsStrings.shortcuts.or}
                <KeyNames keys={keys} />
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
