import { useId } from 'react'
import { type ColourName, palette } from '@/lib/protocol/palette.ts'
import { profileStrings } from '@/lib/strings/profile.ts'

interface ColourChoiceProps {
  /** The colours that nobody else here has. */
  readonly free: readonly ColourName[]
  readonly value: ColourName | null
  readonly onChange: (colour: ColourName) => void
}

export function ColourChoice({ free, value, onChange }: ColourChoiceProps) {
  const name = useId()
  return (
    <fieldset aria-describedby={`${name}-what`}>
      <legend className="text-sm text-muted">{profileStrings.colour.label}</legend>
      <div className="mt-1 grid grid-cols-2 gap-x-4 min-[400px]:grid-cols-4">
        {free.map((colour) => (
          <label key={colour} className="flex min-h-9 items-center gap-2 text-sm capitalize">
            <input
              type="radio"
              name={name}
              checked={colour === value}
              onChange={() => onChange(colour)}
              className="size-4 shrink-0 accent-accent"
            />
            <span
              aria-hidden
              className="size-3.5 shrink-0 rounded-full"
              style={{ background: palette[colour] }}
            />
            {profileStrings.colour[colour]}
          </label>
        ))}
      </div>
      <p id={`${name}-what`} className="mt-1 text-sm text-muted">
        {profileStrings.colour.hint}
      </p>
    </fieldset>
  )
}
