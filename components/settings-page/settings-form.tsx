'use client'

import { useId, type ReactNode } from 'react'
import { themes, undoScopes } from '@/lib/desk/settings.ts'
import { ProfileSetting } from '@/components/profile/profile-setting.tsx'
import { ExportAll } from '@/components/export/export-all.tsx'
import { StorageSetting } from '@/components/storage/storage-setting.tsx'
import { BrowserSettings } from './browser-settings.tsx'
import { OtherPeopleDataSetting } from './other-people-data.tsx'
import { LanguageSetting } from './language-setting.tsx'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useChosenTheme } from '@/components/settings/use-chosen-theme.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { settingsStrings } from '@/lib/strings/settings.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

export const SettingsForm = () => (
  <div className="flex flex-col gap-7">
    <ProfileSetting />
    <ThemeChoice />
    <UndoChoice />
    <LanguageSetting />
    <StorageSetting />
    <ExportAll />
    <BrowserSettings />
    <OtherPeopleDataSetting />
  </div>
)

function ThemeChoice() {
  return (
    <RadioChoices
      title={uiStrings.theme.title}
      choices={themes}
      names={uiStrings.theme}
      value={useChosenTheme()}
      onChange={(chosen) => settingsStore.set('theme', chosen)}
    />
  )
}

function UndoChoice() {
  const { undo } = useSettings()
  return (
    <RadioChoices
      title={settingsStrings.undo.title}
      choices={undoScopes}
      names={settingsStrings.undo}
      value={undo}
      onChange={(scope) => settingsStore.set('undo', scope)}
    >
      {settingsStrings.undo.hint}
    </RadioChoices>
  )
}

interface RadioChoicesProps<Choice extends string> {
  readonly title: string
  readonly choices: readonly Choice[]
  readonly names: Readonly<Record<Choice, string>>
  readonly value: Choice
  readonly onChange: (choice: Choice) => void
  /** A sentence about all of them. */
  readonly children?: ReactNode
}

function RadioChoices<Choice extends string>({
  title,
  choices,
  names,
  value,
  onChange,
  children,
}: RadioChoicesProps<Choice>) {
  const name = useId()
  return (
    <fieldset aria-describedby={children ? `${name}-what` : undefined} className="flex flex-col">
      <legend className="mb-1 font-semibold">{title}</legend>
      {choices.map((choice) => (
        <label key={choice} className="flex min-h-8 items-center gap-2.5">
          <input
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
            className="size-4 shrink-0 accent-accent"
          />
          {names[choice]}
        </label>
      ))}
      {children && (
        <p id={`${name}-what`} className="mt-0.5 text-sm text-muted">
          {children}
        </p>
      )}
    </fieldset>
  )
}
