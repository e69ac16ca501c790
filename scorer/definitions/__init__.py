"""Games as files: a TOML file becomes a game like any other. docs/add-a-game.md shows the format.

`game_file`: the types of a file. `definition`: text to a definition, or a refusal that names the line. `toml_lines`:
where what stands. `shapes`: tables to typed values. `patterns`: wanted dice. `rule_tables`: scores in the words of the
families. `building`: a definition to a game with its options. `examples`: the worked examples, checked.
"""
