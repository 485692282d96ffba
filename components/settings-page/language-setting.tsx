import { useId } from 'react'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { Select } from './select.tsx'
import { settingsStrings } from '@/lib/strings/settings.ts'

// prettier-ignore
const languages = [
  'ar', 'bg', 'ca', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'en-US', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu', 'id',
  'it', 'ja', 'ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'tr', 'uk', 'vi',
  'zh-Hans', 'zh-Hant',
]

/** The language's name in the language itself. */
const languageName = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language

export function LanguageSetting() {
  const { language } = useSettings()
  const id = useId()
  const offered = language === '' || languages.includes(language) ? languages : [language, ...languages]
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-semibold">
        {settingsStrings.language.label}
      </label>
      <Select
        id={id}
        value={language}
        onChange={(chosen) => settingsStore.set('language', chosen)}
        describedBy={`${id}-what`}
      >
        <option value="">{settingsStrings.language.default}</option>
        {offered.map((each) => (
          <option key={each} value={each} lang={each}>
            {languageName(each)}
          </option>
        ))}
      </Select>
      <p id={`${id}-what`} className="text-sm text-muted">
        {settingsStrings.language.hint}
      </p>
    </div>
  )
}
