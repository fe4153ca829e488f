/* Each script only asks the command itself, so that what is completed is always what this version takes. */

const bash = `# orgchat completion for bash: source <(orgchat completion bash)
_orgchat() {
  # bash takes --color=pink for three words, which the command is to see as the one it is.
  local words=() last=-1 word found IFS=$'\\n'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ "$last" -ge 0 ] && { [ "$word" = "=" ] || [[ "\${words[last]}" == --*= ]]; }; then words[last]+="$word"
    else words[++last]="$word"; fi
  done
  local typed="\${words[last]}" cur="\${COMP_WORDS[COMP_CWORD]}" assigned=""
  if [[ "$typed" == --*=* ]]; then assigned="\${typed%%=*}="; cur="\${typed#*=}"; fi
  found="$(orgchat complete -- "\${words[@]}" 2>/dev/null | cut -f1)"
  COMPREPLY=()
  for word in $found; do
    word="\${word#"$assigned"}"
    if [[ "$word" == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _orgchat orgchat
`;

const zsh = `#compdef orgchat
# orgchat completion for zsh: source <(orgchat completion zsh)
_orgchat() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done < <(orgchat complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe orgchat found; else _files; fi
}
if [ "\${funcstack[1]}" = _orgchat ]; then _orgchat "$@"; else compdef _orgchat orgchat; fi
`;

const fish = `# orgchat completion for fish: orgchat completion fish | source
function __orgchat_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (orgchat complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c orgchat -f -a '(__orgchat_complete)'
`;

export const scripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as [Shell, ...Shell[]];
export const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name);
