/** Whether the system prefers a dark page. */
export function isDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches
}
