/** One file with all mistakes of author-mistakes.ts. Each must be found, with its code and line, as none may hide another. */
export const allMistakes = `label: all
states:
  - label: arrived
    callbacks:
      - label: check
        function: http
        callback_arguments:
          url: {{external_systems.XNATT}}/check
          methd: GET
        variable_map: {usable: $.body.usable}
      - {label: placeholder, function: http, callback_arguments: {uri: "{{external_system.XNAT}}"}}
      - {label: program, function: command, callback_arguments: {cmd: check}}
      - {label: pause, function: sleep, callback_arguments: {seconds: ten}}
      - {label: mail, function: send_mail, callback_arguments: {body: Done}}
      - {label: job, function: worker}
      - {label: misspelt, function: htpp}
    transitions:
      - {destination: dnoe, condition: callbacks['check'].result == 'success'}
      - {destination: review, condition: "callbacks['check'].result == 'sucess'"}
      - {destination: review, condition: "experiment.label.split(',') == ['a']"}
      - {destination: review, condition: "experiment.variables['usable'] = true"}
      - {destination: review, condition: "experiment.variables['usable'] == true and 1 == 1"}
      - {destination: review, condition: "experiment.variables['usable'] in ('a','b')"}
      - {destination: review, condition: "experiment.variables['useable'] == true"}
  - label: review
    freetext: Note: a person decides
    transitions:
      - {destination: done}
  - label: done
   outcome: good
    outcome: bad
  - label: other
    outcome: bad
    callback:
      - {label: c, function: wait, wait_timeout: 5}
`;

/** The code and line of each mistake by its number. */
export const allFindings: readonly (readonly [number: number, code: string, line: number])[] = [
  [1, 'unknown_state', 18],
  [2, 'invalid_condition', 20],
  [3, 'invalid_condition', 21],
  [4, 'invalid_condition', 22],
  [5, 'no_initial_state', 3],
  [6, 'unquoted_placeholder', 8],
  [7, 'unquoted_text', 26],
  [8, 'wrong_indentation', 30],
  [9, 'repeated_key', 31],
  [10, 'invalid_condition', 23],
  [11, 'unknown_field', 34],
  [12, 'unquoted_condition', 18],
  [13, 'unknown_argument', 11],
  [14, 'unknown_argument', 9],
  [15, 'unknown_argument', 12],
  [16, 'invalid_argument', 13],
  [17, 'missing_argument', 14],
  [18, 'missing_argument', 15],
  [19, 'unknown_placeholder', 11],
  [20, 'invalid_value', 10],
  [21, 'invalid_condition', 19],
  [22, 'unset_variable', 24],
  [23, 'unknown_function', 16],
  [24, 'waits_for_user', 25],
  [26, 'unknown_system', 8],
];
