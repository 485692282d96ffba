/** Sites are told apart by their address, so a browser asks for each. */
export const AllowPopups = () => (
  <details className="text-sm">
    <summary className="min-h-6 select-none">How to allow windows for this site</summary>
    <p className="mt-1 text-muted">
      Look for a sign of a blocked window at the right end of the address bar, choose “Always allow”, and try
      again. In Safari it is under Settings › Websites › Pop-up Windows. Then several windows can also open by
      one click.
    </p>
  </details>
)
