'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { KeyNames } from './key-names.tsx'
import { type Command, commandKeysOf } from './command-registry.ts'
import { type CommandGroup, createCommandMatcher, groupBySection } from './command-search.ts'
import { commandsStrings } from '@/lib/strings/commands.ts'

interface CommandPaletteProps {
  /** Gets the focus back when the palette closes. */
  readonly previousFocus: HTMLElement | null
  /** The commands that were available before the palette took the focus: the list must not change while the person chooses. */
  readonly commands: readonly Command[]
  readonly query: string
  readonly onQueryChange: (text: string) => void
  /** Called once the palette has the focus. */
  readonly onReady: () => void
  readonly onClose: () => void
}

/** Lists all commands that this window can run now, and filters them as the person types. */
export default function CommandPalette({ previousFocus, onClose, ...typing }: CommandPaletteProps) {
  const [open, setOpen] = useState(true)
  const chosen = useRef<Command>(null)
  /** Moves the focus back at once instead of after the animation: what the person types next is meant for the text. */
  const onOpenChange = (isOpen: boolean) => {
    flushSync(() => setOpen(isOpen))
    if (!isOpen) previousFocus?.focus({ preventScroll: true })
  }
  // Runs the command once the focus is back, because the command may depend on the focus or move it.
  const onOpenChangeComplete = (isOpen: boolean) => {
    if (isOpen) return
    onClose()
    chosen.current?.run()
  }
  const choose = (command: Command) => {
    chosen.current = command
    onOpenChange(false)
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} onOpenChangeComplete={onOpenChangeComplete}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" />
        <Dialog.Popup
          finalFocus={() => previousFocus}
          className="popup-motion fixed inset-x-0 top-0 z-50 mx-auto flex max-h-[85dvh] w-full max-w-xl flex-col overflow-hidden rounded-b-2xl border border-line bg-raised shadow-float outline-none sm:top-[12vh] sm:max-h-[70vh] sm:rounded-2xl"
        >
          <Dialog.Title className="sr-only">{commandsStrings.palette.title}</Dialog.Title>
          <CommandSearch onChoose={choose} {...typing} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type CommandSearchProps = Pick<CommandPaletteProps, 'commands' | 'query' | 'onQueryChange' | 'onReady'> & {
  readonly onChoose: (command: Command) => void
}

function CommandSearch({ commands, query, onQueryChange, onReady, onChoose }: CommandSearchProps) {
  return (
    <Autocomplete.Root
      open
      inline
      value={query}
      onValueChange={onQueryChange}
      items={useMemo(() => groupBySection(commands), [commands])}
      filter={useMemo(() => createCommandMatcher(commands), [commands])}
      itemToStringValue={({ title }: Command) => title}
      autoHighlight="always"
      keepHighlight
    >
      <Autocomplete.InputGroup className="flex items-center gap-2.5 border-b border-line px-4 text-muted">
        <Search size={17} aria-hidden className="shrink-0" />
        <Autocomplete.Input
          aria-label={commandsStrings.palette.search}
          onFocus={onReady}
          placeholder={commandsStrings.palette.placeholder}
          className="h-12 min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-muted focus:outline-none"
        />
      </Autocomplete.InputGroup>
      <Autocomplete.Empty>
        <p className="px-4 py-6 text-center text-muted">{commandsStrings.palette.empty}</p>
      </Autocomplete.Empty>
      <Autocomplete.List className="overflow-y-auto overscroll-contain p-1.5 data-empty:hidden">
        {(group: CommandGroup) => <CommandGroupList key={group.section} group={group} onChoose={onChoose} />}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

const CommandGroupList = ({
  group,
  onChoose,
}: {
  group: CommandGroup
  onChoose: (command: Command) => void
}) => (
  <Autocomplete.Group items={group.items} className="pb-1">
    <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
      {commandsStrings.sections[group.section]}
    </Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(command: Command) => (
        <Autocomplete.Item
          key={command.id}
          value={command}
          onClick={() => onChoose(command)}
          className="flex min-h-9 items-center gap-3 rounded-md px-2.5 py-1 text-sm outline-none select-none data-highlighted:bg-sunk"
        >
          <span className="min-w-0 flex-1">{command.title}</span>
          {commandKeysOf(command)
            .slice(0, 1)
            .map((keys) => (
              <KeyNames key={keys} keys={keys} />
            ))}
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
)
