interface ProgressBarProps {
  readonly name: string
  readonly value: number
  readonly max: number
}

/** A progress bar in the colours of the page: the browser's own is grey, and green in the dark theme. */
export const ProgressBar = ({ name, value, max }: ProgressBarProps) => (
  <progress
    aria-label={name}
    value={value}
    max={max}
    className="h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunk [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-accent"
  />
)
