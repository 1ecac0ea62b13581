/*
 * test_decode.c: real and sloppy streams of each service and the events they become, the same for
 * every way of cutting them; and garbage of every kind, which ends exactly once and never in a
 * call that was not finished.
 */
#include "base/base.h"
#include "support/stream_log.h"
#include "support/test.h"
#include "wire/wire.h"

#define A SF_WIRE_ANTHROPIC
#define C SF_WIRE_CHAT
#define R SF_WIRE_RESPONSES

#define CALL(index, id, name, arguments)                               \
    "{'choices':[{'delta':{'tool_calls':[{'index':" index ",'id':'" id \
    "','function':{'name':'" name "','arguments':'" arguments "'}}]}}]}\n"
#define FINISH(reason) "{'choices':[{'delta':{},'finish_reason':'" reason "'}]}\n"
#define TEXT(text)     "{'choices':[{'delta':{'content':'" text "'}}]}\n"

#define BLOCK(index, block) \
    "{'type':'content_block_start','index':" index ",'content_block':{" block "}}\n"
#define DELTA(index, delta) "{'type':'content_block_delta','index':" index ",'delta':{" delta "}}\n"
#define STOP(index)         "{'type':'content_block_stop','index':" index "}\n"
#define REASON(reason)      "{'type':'message_delta','delta':{'stop_reason':'" reason "'}}\n"
#define OVER                "{'type':'message_stop'}\n"

#define ITEM(state, index, item) \
    "{'type':'response.output_item." state "','output_index':" index ",'item':{" item "}}\n"

static const struct {
    const char *name;
    enum sf_wire_format format;
    const char *events; /* one a line, with single quotes */
    const char *want;
} cases[] = {
    { "anthropic: everything", A,
      "{'type':'message_start','message':{'id':'m','model':'claude-x','usage':{'input_tokens':10,"
      "'cache_read_input_tokens':100,'cache_creation_input_tokens':20,'output_tokens':1}}}\n"
      "{'type':'ping'}\n" BLOCK("0", "'type':'thinking','thinking':'','signature':''") DELTA(
          "0", "'type':'thinking_delta','thinking':'Let me '")
          DELTA("0", "'type':'thinking_delta','thinking':'see'") DELTA(
              "0", "'type':'signature_delta','signature':'c2ln'") STOP("0")
              BLOCK("1", "'type':'redacted_thinking','data':'eHg='") STOP("1") BLOCK(
                  "2", "'type':'text','text':''") DELTA("2", "'type':'text_delta','text':'Hello'")
                  DELTA("2", "'type':'text_delta','text':', you'") STOP("2") BLOCK(
                      "3", "'type':'tool_use','id':'t1','name':'Read',"
                           "'input':{}") DELTA("3", "'type':'input_json_delta',"
                                                    "'partial_json':''")
                      DELTA("3",
                            "'type':'input_json_delta',"
                            "'partial_json':'{\\'a\\': '") DELTA("3", "'type':'input_json_delta',"
                                                                      "'partial_json':'1}'")
                          STOP(
                              "3") "{'type':'message_delta','delta':{'stop_reason':'tool_use'},'usage':{'output_tokens':30}}\n" OVER
                                   "{'type':'ping'}\n" REASON("end_turn"),
      "begin claude-x\n"
      "usage in 10 out 1 read 100 write 20 reasoning 0\n"
      "reasoning Let me \n"
      "reasoning see\n"
      "block reasoning [Let me see] raw {'type':'thinking','thinking':'Let me see',"
      "'signature':'c2ln'}\n"
      "block reasoning [] raw {'type':'redacted_thinking','data':'eHg='}\n"
      "text Hello\n"
      "text , you\n"
      "block text [Hello, you]\n"
      "call Read\n"
      "block call t1 Read [{'a': 1}]\n"
      "usage in 10 out 30 read 100 write 20 reasoning 0\n"
      "end calls\n" },
    { "anthropic: thinking whose text is withheld", A,
      BLOCK("0", "'type':'thinking','thinking':''")
          DELTA("0", "'type':'signature_delta','signature':'s'") STOP("0") REASON("end_turn") OVER,
      "begin \nblock reasoning [] raw {'type':'thinking','thinking':'','signature':'s'}\n"
      "end end\n" },
    { "anthropic: thinking without a signature", A,
      BLOCK("0", "'type':'thinking','thinking':'hm'") STOP("0") REASON("max_tokens") OVER,
      "begin \nreasoning hm\nblock reasoning [hm]\nend length\n" },
    { "anthropic: thinking that never ends", A,
      BLOCK("0", "'type':'redacted_thinking','data':'eHg='") BLOCK("1", "'type':'thinking',"
                                                                        "'thinking':'hm',"
                                                                        "'signature':'s'")
          REASON("end_turn") OVER,
      "begin \nreasoning hm\nblock reasoning [hm]\nend end\n" },
    { "anthropic: no arguments at all", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS'") STOP("0") REASON("tool_use") OVER,
      "begin \ncall LS\nblock call a LS [{}]\nend calls\n" },
    { "anthropic: arguments in one piece", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS','input':{'p':1.50}") STOP("0")
          REASON("tool_use") OVER,
      "begin \ncall LS\nblock call a LS [{'p':1.5}]\nend calls\n" },
    { "anthropic: arguments that are not JSON", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS'")
          DELTA("0", "'type':'input_json_delta','partial_json':'{p'") STOP("0")
              BLOCK("1", "'type':'text','text':'x'") STOP("1") REASON("tool_use") OVER,
      "begin \ncall LS\ntext x\nblock call a LS [{p]\nblock text [x]\nend calls\n" },
    { "anthropic: a call cut by the limit is dropped", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS'")
          DELTA("0", "'type':'input_json_delta','partial_json':'{}'") STOP("0")
              BLOCK("1", "'type':'tool_use','id':'b','name':'LS'")
                  DELTA("1", "'type':'input_json_delta','partial_json':'{p'") STOP("1")
                      REASON("max_tokens") OVER,
      "begin \ncall LS\nblock call a LS [{}]\ncall LS\nend length\n" },
    { "anthropic: a call cut before its first argument", A,
      BLOCK("0", "'type':'tool_use','id':'b','name':'Write'") STOP("0") REASON("max_tokens") OVER,
      "begin \ncall Write\nend length\n" },
    { "anthropic: one id twice", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS','input':{'p':1}") STOP("0")
          BLOCK("1", "'type':'tool_use','id':'a','name':'LS','input':{'p':1}") STOP("1")
              BLOCK("2", "'type':'tool_use','id':'a_2','name':'LS','input':{'p':1}") STOP("2")
                  REASON("tool_use") OVER,
      "begin \ncall LS\nblock call a LS [{'p':1}]\ncall LS\nblock call a_2 LS [{'p':1}]\n"
      "call LS\nblock call a_2_2 LS [{'p':1}]\nend calls\n" },
    { "anthropic: blocks nobody knows", A,
      BLOCK("0", "'type':'server_tool_use','id':'x'")
          DELTA("0", "'type':'input_json_delta','partial_json':'{}'") STOP("0")
              BLOCK("1", "'type':'text','text':'x'") DELTA("1", "'type':'citations_delta'")
                  STOP("1") REASON("pause_turn") OVER,
      "begin \ntext x\nblock text [x]\nend pause\n" },
    { "anthropic: refusal", A, REASON("refusal") OVER, "begin \nend refusal\n" },
    { "anthropic: window full", A, REASON("model_context_window_exceeded") OVER,
      "begin \nend context\n" },
    { "anthropic: a reason nobody knows", A,
      BLOCK("0", "'type':'text','text':'x'") STOP("0") REASON("tired") OVER,
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "anthropic: wants a tool, names none", A, REASON("tool_use") OVER,
      "error malformed: the answer says nothing\n" },
    { "anthropic: stops inside a call", A,
      BLOCK("0", "'type':'tool_use','id':'a','name':'LS'") REASON("tool_use") OVER,
      "begin \ncall LS\nerror malformed: the answer ends inside a call\n" },
    { "anthropic: no farewell, but a reason", A,
      BLOCK("0", "'type':'text','text':'x'") STOP("0") REASON("end_turn"),
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "anthropic: breaks off", A, BLOCK("0", "'type':'text','text':'x'"),
      "begin \ntext x\nerror connect: the answer broke off\n" },
    { "anthropic: fails in the middle", A,
      BLOCK(
          "0",
          "'type':'text','text':'x'") "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}\n"
                                      "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}\n" OVER,
      "begin \ntext x\nerror overload: Overloaded\n" },
    { "anthropic: a piece of nothing", A, DELTA("7", "'type':'text_delta','text':'x'"),
      "error malformed: a piece of the answer belongs to nothing\n" },
    { "anthropic: a piece behind its end", A,
      BLOCK("0", "'type':'text','text':''") STOP("0") DELTA("0", "'type':'text_delta','text':'x'"),
      "error malformed: a piece of the answer belongs to nothing\n" },
    { "anthropic: a piece of another kind", A,
      BLOCK("0", "'type':'text','text':''") DELTA("0", "'type':'input_json_delta',"
                                                       "'partial_json':'{}'"),
      "error malformed: a piece of the answer is of the wrong kind\n" },
    { "anthropic: begins twice", A,
      BLOCK("0", "'type':'text','text':''") BLOCK("0", "'type':'text','text':''"),
      "error malformed: a part of the answer begins twice\n" },
    { "anthropic: usage gone mad", A,
      "{'type':'message_start','message':{'model':'m','usage':{'input_tokens':-5,"
      "'output_tokens':99999999999999999999,'cache_read_input_tokens':'x'}}}\n" REASON("end_turn"),
      "begin m\nusage in 0 out 0 read 0 write 0 reasoning 0\nend end\n" },

    { "chat: everything", C,
      "{'id':'c','model':'gpt-x','choices':[{'index':0,'delta':{'role':'assistant','content':''}}],"
      "'usage':null}\n"
      "{'choices':[{'index':0,'delta':{'reasoning_content':'hm'}}]}\n" TEXT("Hel") TEXT(
          "lo") "{'choices':[{'index':0,'delta':{'content':null,'tool_calls':[{'index':0,'id':'c1',"
                "'type':'function','function':{'name':'Read','arguments':''}}]}}]}\n"
                "{'choices':[{'index':0,'delta':{'tool_calls':[{'index':0,'function':{'arguments':"
                "'{\\'a\\':'}}]}}]}\n"
                "{'choices':[{'index':0,'delta':{'tool_calls':[{'index':0,'function':{'arguments':'1}'}}]}}]}\n" CALL(
                    "1", "c2", "LS", "{}")
                    FINISH(
                        "tool_calls") "{'choices':[],'usage':{'prompt_tokens':100,'completion_tokens':9,"
                                      "'prompt_tokens_details':{'cached_tokens':60},"
                                      "'completion_tokens_details':{'reasoning_tokens':4}}}\n"
                                      "[DONE]\n" TEXT("late"),
      "begin gpt-x\nreasoning hm\ntext Hel\ntext lo\ncall Read\ncall LS\n"
      "usage in 40 out 9 read 60 write 0 reasoning 4\n"
      "block reasoning [hm]\nblock text [Hello]\nblock call c1 Read [{'a':1}]\n"
      "block call c2 LS [{}]\nend calls\n" },
    { "chat: no [DONE]", C, TEXT("x") FINISH("stop"), "begin \ntext x\nblock text [x]\nend end\n" },
    { "chat: no reason, but [DONE]", C, TEXT("x") "[DONE]\n",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "chat: no reason, but calls and [DONE]", C, CALL("0", "a", "LS", "{}") "[DONE]\n",
      "begin \ncall LS\nblock call a LS [{}]\nend calls\n" },
    { "chat: stop, but calls", C, CALL("0", "a", "LS", "{}") FINISH("stop") "[DONE]\n",
      "begin \ncall LS\nblock call a LS [{}]\nend calls\n" },
    { "chat: calls, but none", C, TEXT("x") FINISH("tool_calls") "[DONE]\n",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "chat: [DONE] and nothing else", C, "[DONE]\n",
      "error malformed: the answer says nothing\n" },
    { "chat: nothing to say", C, FINISH("stop") "[DONE]\n", "begin \nend end\n" },
    { "chat: cut by the limit", C,
      TEXT("x") CALL("0", "a", "LS", "{}") CALL("1", "b", "LS", "{p") FINISH("length") "[DONE]\n",
      "begin \ntext x\ncall LS\ncall LS\nblock text [x]\nblock call a LS [{}]\nend length\n" },
    { "chat: filtered", C, TEXT("x") FINISH("content_filter") "[DONE]\n",
      "begin \ntext x\nblock text [x]\nend refusal\n" },
    { "chat: declines", C, "{'choices':[{'delta':{'refusal':'no'}}]}\n" FINISH("stop"),
      "begin \ntext no\nblock text [no]\nend refusal\n" },
    { "chat: breaks off", C, TEXT("x"), "begin \ntext x\nerror connect: the answer broke off\n" },
    { "chat: no ids", C,
      CALL("0", "", "LS", "{}") CALL("1", "", "LS", "{}") CALL("2", "call_2", "LS", "{}")
          FINISH("tool_calls"),
      "begin \ncall LS\ncall LS\ncall LS\nblock call call_1 LS [{}]\nblock call call_2 LS [{}]\n"
      "block call call_2_2 LS [{}]\nend calls\n" },
    { "chat: no numbers", C,
      "{'choices':[{'delta':{'tool_calls':[{'id':'a','function':{'name':'LS','arguments':'{'}}]}}]}\n"
      "{'choices':[{'delta':{'tool_calls':[{'function':{'arguments':'}'}}]}}]}\n"
      "{'choices':[{'delta':{'tool_calls':[{'id':'b','function':{'name':'LS','arguments':'{'}}]}}]}\n"
      "{'choices':[{'delta':{'tool_calls':[{'id':'b','function':{'arguments':'}'}}]}}]}\n" FINISH(
          "tool_calls"),
      "begin \ncall LS\ncall LS\nblock call a LS [{}]\nblock call b LS [{}]\nend calls\n" },
    { "chat: neither numbers nor ids", C,
      "{'choices':[{'delta':{'tool_calls':[{'function':{'name':'LS','arguments':'{}'}},"
      "{'function':{'name':'Read','arguments':{'p':[1,2]}}}]}}]}\n" FINISH("stop"),
      "begin \ncall LS\ncall Read\nblock call call_1 LS [{}]\n"
      "block call call_2 Read [{'p':[1,2]}]\nend calls\n" },
    { "chat: two calls under one number", C,
      CALL("0", "a", "LS", "{}") CALL("0", "b", "Read", "{}") FINISH("tool_calls"),
      "begin \ncall LS\ncall Read\nblock call a LS [{}]\nblock call b Read [{}]\nend calls\n" },
    { "chat: one id for two calls", C,
      CALL("0", "a", "LS", "{}") CALL("1", "a", "Read", "{}") FINISH("tool_calls"),
      "begin \ncall LS\ncall Read\nblock call a LS [{}]\nblock call a_2 Read [{}]\nend calls\n" },
    { "chat: a name repeated with each piece", C,
      CALL("0", "a", "LS", "{") CALL("0", "a", "LS", "}") FINISH("tool_calls"),
      "begin \ncall LS\nblock call a LS [{}]\nend calls\n" },
    { "chat: a call without a name", C,
      "{'choices':[{'delta':{'tool_calls':[{'index':0,'id':'a','function':{'arguments':'{}'}}]}}]}\n" FINISH(
          "tool_calls"),
      "begin \nblock call a unknown [{}]\nend calls\n" },
    { "chat: arguments that are not JSON", C, CALL("0", "a", "LS", "oops") FINISH("tool_calls"),
      "begin \ncall LS\nblock call a LS [oops]\nend calls\n" },
    { "chat: a whole message", C,
      "{'model':'m','choices':[{'message':{'role':'assistant','content':'hi','tool_calls':[{'id':'a',"
      "'function':{'name':'LS','arguments':'{}'}}]},'finish_reason':'tool_calls'}]}\n[DONE]\n",
      "begin m\ntext hi\ncall LS\nblock text [hi]\nblock call a LS [{}]\nend calls\n" },
    { "chat: a whole message behind its pieces", C,
      TEXT("hi") "{'choices':[{'message':{'content':'hi'},'finish_reason':'stop'}]}\n",
      "begin \ntext hi\nblock text [hi]\nend end\n" },
    { "chat: other choices", C,
      "{'choices':[{'index':1,'delta':{'content':'no'}},{'index':0,'delta':{'content':'yes'}}]}\n"
      "{'choices':[{'index':1,'delta':{'content':'no'},'finish_reason':'stop'}]}\n" FINISH("stop"),
      "begin \ntext yes\nblock text [yes]\nend end\n" },
    { "chat: text in parts", C,
      "{'choices':[{'delta':{'content':[{'type':'thinking','thinking':[{'type':'text','text':'hm'}]},"
      "{'type':'text','text':'hi'}]}}]}\n" FINISH("stop"),
      "begin \nreasoning hm\ntext hi\nblock reasoning [hm]\nblock text [hi]\nend end\n" },
    { "chat: reasoning under two names", C,
      "{'choices':[{'delta':{'reasoning':'hm','reasoning_content':'hm'}}]}\n"
      "{'choices':[{'delta':{'reasoning':' so','reasoning_content':''}}]}\n" FINISH("stop"),
      "begin \nreasoning hm\nreasoning  so\nblock reasoning [hm so]\nend end\n" },
    { "chat: usage of another kind", C,
      TEXT("x") "{'choices':[{'delta':{},'finish_reason':'stop'}],'x_groq':{'usage':"
                "{'prompt_tokens':5,'completion_tokens':2}}}\n",
      "begin \ntext x\nusage in 5 out 2 read 0 write 0 reasoning 0\nblock text [x]\nend end\n" },
    { "chat: usage of deepseek", C,
      TEXT(
          "x") "{'choices':[{'delta':{},'finish_reason':'stop'}],'usage':{'prompt_tokens':5,"
               "'completion_tokens':2,'prompt_cache_hit_tokens':4,'prompt_cache_miss_tokens':1}}\n",
      "begin \ntext x\nusage in 1 out 2 read 4 write 0 reasoning 0\nblock text [x]\nend end\n" },
    { "chat: fails in the middle", C,
      TEXT("x") "{'error':{'code':502,'message':'upstream'},'choices':[{'delta':{'content':''},"
                "'finish_reason':'error'}]}\n" TEXT("y"),
      "begin \ntext x\nerror server: upstream\n" },
    { "chat: runs out of room", C, TEXT("x") FINISH("insufficient_system_resource"),
      "begin \ntext x\nerror overload: the service ran out of capacity\n" },
    { "chat: half characters meet again", C,
      TEXT("caf\xc3") TEXT("\xa9 \xe7\x8c") TEXT("\xab\xf0") TEXT("\x9f\x98\x80") FINISH("stop"),
      "begin \ntext caf\ntext \xc3\xa9 \ntext \xe7\x8c\xab\ntext \xf0\x9f\x98\x80\n"
      "block text [caf\xc3\xa9 \xe7\x8c\xab\xf0\x9f\x98\x80]\nend end\n" },
    { "chat: halves that never meet", C, TEXT("a\xc3") TEXT("b\xff\xe7\x8c") FINISH("stop"),
      "begin \ntext a\ntext \xef\xbf\xbd"
      "b\xef\xbf\xbd\ntext \xef\xbf\xbd\nblock text [a\xef\xbf\xbd"
      "b\xef\xbf\xbd\xef\xbf\xbd]\nend end\n" },
    { "chat: NUL and half a pair", C, TEXT("a\\u0000b\\ud83dc\\udc00\\ud83d\\ude00") FINISH("stop"),
      "begin \ntext a\xef\xbf\xbd"
      "b\xef\xbf\xbd"
      "c\xef\xbf\xbd\xf0\x9f\x98\x80\nblock text [a\xef\xbf\xbd"
      "b\xef\xbf\xbd"
      "c\xef\xbf\xbd\xf0\x9f\x98\x80]\nend end\n" },
    { "chat: the hiding place itself", C, TEXT("\xf4\x8f\xbf\xbf\\udbff\\udfff\xff") FINISH("stop"),
      "begin \ntext \xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf\xef\xbf\xbd\n"
      "block text [\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf\xef\xbf\xbd]\nend end\n" },
    { "chat: one key twice", C, "{'choices':[],'choices':[]}\n",
      "error malformed: the answer cannot be read: bad JSON at line 1, column 15: the key "
      "'choices' appears twice in one object\n" },
    { "chat: types of another world", C,
      "{'model':7,'choices':{'a':1},'usage':[1]}\n{'choices':[3,null]}\n{'choices':[{'delta':"
      "{'content':7,'tool_calls':{'a':1}},'finish_reason':3}]}\n[]\n3\n" TEXT("x") FINISH("stop"),
      "begin \ntext x\nblock text [x]\nend end\n" },

    { "responses: everything", R,
      "{'type':'response.created','response':{'id':'r','model':'gpt-5'}}\n"
      "{'type':'response.in_progress'}\n" ITEM(
          "added", "0",
          "'type':'reasoning','id':'rs'") "{'type':'response.reasoning_summary_part.added','output_index':0}\n"
                                          "{'type':'response.reasoning_summary_text.delta','output_index':0,'delta':'hm'}\n"
                                          "{'type':'response.reasoning_summary_part.added','output_index':0}\n"
                                          "{'type':'response.reasoning_summary_text.delta','output_index':0,'delta':'so'}\n" ITEM(
                                              "done", "0",
                                              "'type':'reasoning','id':'rs','status':null,'summary':[{'type':"
                                              "'summary_text','text':'hm'}],'encrypted_content':'eA=='")
                                              ITEM(
                                                  "added", "1",
                                                  "'type':'message','role':'assistant','content':[]") "{'type':'response.output_text.delta','output_index':1,'delta':'Hel'}\n"
                                                                                                      "{'type':'response.output_text.delta','output_index':1,'delta':'lo'}\n"
                                                                                                      "{'type':'response.output_text.done','output_index':1,'text':'Hello'}\n" ITEM(
                                                                                                          "done",
                                                                                                          "1",
                                                                                                          "'type':'message','content':[{'type':'output_text','text':'Hello'}]")
                                                                                                          ITEM(
                                                                                                              "added",
                                                                                                              "2",
                                                                                                              "'type':'function_call','call_id':'c1','name':'Read','arguments':''") "{'type':'response.function_call_arguments.delta','output_index':2,'delta':'{\\'a\\''}\n"
                                                                                                                                                                                    "{'type':'response.function_call_arguments.delta','output_index':2,'delta':':1}'}\n" ITEM(
                                                                                                                                                                                        "done",
                                                                                                                                                                                        "2",
                                                                                                                                                                                        "'type':'function_call','call_id':'c1','name':'Read','status':'completed',"
                                                                                                                                                                                        "'arguments':'{\\'a\\':1}'") "{'type':'response.completed','response':{'model':'gpt-5','output':[{'type':'message'}],"
                                                                                                                                                                                                                     "'usage':{'input_tokens':100,'output_tokens':20,'input_tokens_details':{'cached_tokens':70,"
                                                                                                                                                                                                                     "'cache_write_tokens':10},'output_tokens_details':{'reasoning_tokens':15}}}}\n"
                                                                                                                                                                                                                     "{'type':'response.completed','response':{}}\n",
      "begin gpt-5\nreasoning hm\nreasoning \n\n\nreasoning so\n"
      "block reasoning [hm\n\nso] raw {'type':'reasoning','id':'rs','summary':[{'type':"
      "'summary_text','text':'hm'}],'encrypted_content':'eA=='}\n"
      "text Hel\ntext lo\nblock text [Hello]\ncall Read\nblock call c1 Read [{'a':1}]\n"
      "usage in 20 out 20 read 70 write 10 reasoning 15\nend calls\n" },
    { "responses: items side by side keep their order", R,
      ITEM("added", "0", "'type':'function_call','call_id':'a','name':'LS'") ITEM(
          "added", "1", "'type':'function_call','call_id':'b','name':'LS'")
          ITEM("done", "1", "'type':'function_call','call_id':'b','name':'LS','arguments':'{}'") ITEM(
              "done",
              "0",
              "'type':'function_call','call_id':'a','name':'LS','arguments':'{}'") "{'type':'response.completed','response':{}}\n",
      "begin \ncall LS\ncall LS\nblock call a LS [{}]\nblock call b LS [{}]\nend calls\n" },
    { "responses: only the whole", R,
      "{'type':'response.completed','response':{'model':'m','output':[{'type':'reasoning',"
      "'summary':[{'text':'hm'}]},{'type':'message','content':[{'type':'output_text','text':'hi'}]},"
      "{'type':'function_call','call_id':'a','name':'LS','arguments':'{}'},"
      "{'type':'web_search_call'}]}}\n",
      "begin m\nreasoning hm\nblock reasoning [hm]\ntext hi\nblock text [hi]\ncall LS\n"
      "block call a LS [{}]\nend calls\n" },
    { "responses: done without a beginning or a number", R,
      "{'type':'response.output_item.done','item':{'type':'message','content':[{'type':"
      "'output_text','text':'hi'}]}}\n{'type':'response.completed','response':{}}\n",
      "begin \ntext hi\nblock text [hi]\nend end\n" },
    { "responses: cut by the limit", R,
      ITEM("added", "0", "'type':'message'") "{'type':'response.output_text.delta','output_index':0,'delta':'x'}\n" ITEM(
          "added", "1",
          "'type':'function_call','call_id':'a','name':'LS'") "{'type':'response.function_call_arguments.delta','output_index':1,'delta':'{}'}\n"
                                                              "{'type':'response.incomplete','response':{'incomplete_details':{'reason':"
                                                              "'max_output_tokens'}}}\n",
      "begin \ntext x\ncall LS\nblock text [x]\nend length\n" },
    { "responses: an item that is not complete", R,
      ITEM(
          "done", "0",
          "'type':'function_call','call_id':'a','name':'LS','arguments':'{}',"
          "'status':'incomplete'") "{'type':'response.incomplete','response':{'incomplete_details':{'reason':"
                                   "'content_filter'}}}\n",
      "begin \ncall LS\nend refusal\n" },
    { "responses: declines", R,
      ITEM("added", "0", "'type':'message'") "{'type':'response.refusal.delta','output_index':0,'delta':'no'}\n" ITEM(
          "done", "0",
          "'type':'message','content':[{'type':'refusal','refusal':'no'}]") "{'type':'response.completed','response':{}}\n",
      "begin \ntext no\nblock text [no]\nend refusal\n" },
    { "responses: completed inside a call", R,
      ITEM(
          "added", "0",
          "'type':'function_call','call_id':'a','name':'LS'") "{'type':'response.completed','response':{}}\n",
      "begin \ncall LS\nerror malformed: the answer ends inside a call\n" },
    { "responses: failed", R,
      "{'type':'response.failed','response':{'error':{'code':'rate_limit_exceeded','message':"
      "'Rate limit reached. Please try again in 2s.'}}}\n",
      "error rate-limit: Rate limit reached. Please try again in 2s.\n" },
    { "responses: bare error", R,
      "{'type':'error','code':'context_length_exceeded','message':'too long','param':null}\n",
      "error context: too long\n" },
    { "responses: breaks off", R, "{'type':'response.created','response':{'model':'m'}}\n",
      "begin m\nerror connect: the answer broke off\n" },
    { "responses: ends twice", R,
      ITEM("done", "0", "'type':'message','content':[]") ITEM("done", "0", "'type':'message'"),
      "error malformed: a part of the answer ends twice\n" },
};

/* Bodies as they are, with real quotes. */
static const struct {
    const char *name;
    enum sf_wire_format format;
    const char *body, *want;
} bodies[] = {
    { "nothing", C, "", "error connect: the answer was empty\n" },
    { "blanks", A, " \r\n\n", "error connect: the answer was empty\n" },
    { "a web page", R, "\n<!DOCTYPE html><html>",
      "error malformed: the service answered with a web page\n" },
    { "words", C, "upstream connect error",
      "error malformed: the service sent an unexpected answer\n" },
    { "comments alone", A, ": keep-alive\n\n: keep-alive\n\n",
      "error malformed: the service sent an unexpected answer\n" },
    { "data that is no JSON", A, "data: hello\n\n",
      "error malformed: the answer cannot be read: bad JSON at line 1, column 1: expected a value, "
      "not 'h'\n" },
    { "an event cut at the end", A, "data: {\"type\":\"pi",
      "error connect: the answer broke off\n" },
    { "a last event cut behind the reason", C,
      "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"
      "data: {\"usage\":{\"prom",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "[DONE] without a line end", C,
      "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "CRLF, comments, names, ids", C,
      ": hi\r\n\r\nevent: message\r\nid: 1\r\nretry: 10\r\ndata: {\"choices\":[{\"delta\":\r\n"
      "data: {\"content\":\"x\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "the type in the name of the event", A,
      "event: content_block_start\ndata: {\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":"
      "\"x\"}}\n\nevent: message_stop\ndata: {}\n\n",
      "begin \ntext x\nblock text [x]\nend end\n" },
    { "a JSON body", C,
      "\xef\xbb\xbf {\"model\":\"m\",\"choices\":[{\"message\":{\"content\":\"hi\",\"reasoning\":"
      "\"hm\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}",
      "begin m\nreasoning hm\ntext hi\nusage in 1 out 2 read 0 write 0 reasoning 0\n"
      "block reasoning [hm]\nblock text [hi]\nend end\n" },
    { "a JSON body with an error", A,
      "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow\"}}",
      "error rate-limit: slow\n" },
    { "a JSON body in a list", C, "[{\"error\":{\"code\":429,\"message\":\"slow\"}}]",
      "error rate-limit: slow\n" },
    { "a JSON body that says nothing", R, "{\"ok\":true}",
      "error malformed: the service sent an unexpected answer\n" },
    { "half a JSON body", C, "{\"choices\":[",
      "error malformed: the answer cannot be read: bad JSON at line 1, column 13: expected a value, "
      "but the text ends here\n" },
    { "an error by its name alone", C, "event: error\ndata: {\"message\":\"bad day\"}\n\n",
      "error server: bad day\n" },
};

struct fixture {
    struct stream_log log, whole;
    struct sf_strbuf body;
    char *want;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    stream_log_init(&f->log);
    stream_log_init(&f->whole);
    sf_strbuf_init(&f->body);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    stream_log_release(&f->log);
    stream_log_release(&f->whole);
    sf_strbuf_release(&f->body);
    free(f->want);
    free(f);
    return 0;
}

static void restart(struct stream_log *log)
{
    stream_log_release(log);
    stream_log_init(log);
}

struct stream {
    const char *name, *data, *want;
    size_t len;
    enum sf_wire_format format;
};

static void compare(struct stream_log *log, const struct stream *s, const size_t *cuts)
{
    restart(log);
    stream_log_run(log, s->format, s->data, s->len, cuts);
    if (strcmp(log->text.buf, s->want) != 0)
        fail_msg("%s, cut at %zu:\n%s\nnot:\n%s", s->name, cuts ? cuts[0] : s->len, log->text.buf,
                 s->want);
    assert_int_equal(log->ends, 1);
    assert_int_equal(log->after_end, 0);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* In one piece, at every single place, byte by byte, and at random. */
static void in_any_cut(struct stream_log *log, const struct stream *s)
{
    uint32_t seed = 7;

    compare(log, s, NULL);
    compare(log, s, (const size_t[]){ 1, 0 });
    for (size_t at = 1; at < s->len; at++)
        compare(log, s, (const size_t[]){ at, SIZE_MAX, 0 });
    for (int i = 0; i < 20; i++) {
        const size_t cuts[] = { 1 + next_random(&seed) % 9, 1 + next_random(&seed) % 200,
                                1 + next_random(&seed) % 40, 0 };

        compare(log, s, cuts);
    }
}

static void test_streams(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        free(f->want);
        f->want = stream_log_quotes(cases[i].want);
        sf_strbuf_reset(&f->body);
        stream_log_body(&f->body, cases[i].events);
        in_any_cut(&f->log, &(struct stream){ cases[i].name, f->body.buf, f->want, f->body.len,
                                              cases[i].format });
    }
}

static void test_bodies(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(bodies); i++)
        in_any_cut(&f->log, &(struct stream){ bodies[i].name, bodies[i].body, bodies[i].want,
                                              strlen(bodies[i].body), bodies[i].format });
}

static void add_times(struct sf_strbuf *out, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        sf_strbuf_adds(out, text);
}

/* What an answer may be made of before somebody says no. */
static const struct {
    const char *name;
    enum sf_wire_format format;
    const char *begin, *middle, *end;
    size_t times;
    const char *says;
} floods[] = {
    { "a line without an end", C, "data: ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "", 3000000,
      "error oversize: a line of the answer is longer than 4 MiB\n" },
    { "a body without an end", C, "{\"a\":\"", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "", 200000,
      "error oversize: the answer is longer than 4 MiB\n" },
    { "empty events without an end", C, "data: {}\n\n", "data: \n\n", "", 5000000,
      "error oversize: the answer is longer than 32 MiB\n" },
    { "nesting without an end", A, "data: ", "[", "\n\n", 100000,
      "error oversize: the answer cannot be read" },
    { "values without an end", C, "data: {\"a\":[", "1,", "1]}\n\n", 100000,
      "error oversize: the answer cannot be read" },
    { "invalid bytes without an end", A, "data: {\"type\":\"", "\xff\xff\xff\xff\xff\xff\xff\xff",
      "\"}\n\n", 400000, "error malformed: the answer cannot be read" },
    { "calls without an end", C, "",
      "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"LS\"}}]}}]}\n\n",
      "data: [DONE]\n\n", 1000, "error oversize: the answer has more than 512 parts\n" },
};

static void test_floods(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        sf_strbuf_reset(&f->body);
        sf_strbuf_adds(&f->body, floods[i].begin);
        add_times(&f->body, floods[i].middle, floods[i].times);
        sf_strbuf_adds(&f->body, floods[i].end);
        restart(&f->log);
        stream_log_run(&f->log, floods[i].format, f->body.buf, f->body.len,
                       (const size_t[]){ 65536, 0 });
        if (!strstr(f->log.text.buf, floods[i].says))
            fail_msg("%s: %.300s", floods[i].name, f->log.text.buf);
        assert_int_equal(f->log.ends, 1);
        assert_int_equal(f->log.calls, 0);
    }
}

static void test_one_block_has_a_ceiling(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 9000; i++) {
        sf_strbuf_adds(&f->body, "data: {\"choices\":[{\"delta\":{\"content\":\"");
        sf_strbuf_fill(&f->body, 'x', 1024);
        sf_strbuf_adds(&f->body, "\"}}]}\n\n");
    }
    stream_log_run(&f->log, C, f->body.buf, f->body.len, NULL);
    assert_int_equal(f->log.fault, SF_FAULT_OVERSIZE);
    assert_non_null(strstr(f->log.text.buf, "a part of the answer is longer than 8 MiB"));
}

static void test_feeding_the_dead(void **state)
{
    struct fixture *f = *state;
    struct sf_decoder *decoder = sf_decoder_new(C, stream_log_event, &f->log);

    assert_true(sf_decoder_feed(decoder, "", 0));
    assert_false(sf_decoder_feed(decoder, "<", 1));
    assert_false(sf_decoder_feed(decoder, "data: {}\n\n", 10));
    sf_decoder_finish(decoder);
    sf_decoder_finish(decoder);
    sf_decoder_free(decoder);
    sf_decoder_free(NULL);
    assert_int_equal(f->log.ends, 1);
    assert_int_equal(f->log.after_end, 0);
}

enum { GARBAGE_STREAMS = 10000 };

/* A stream made of lines of the good ones: cut, repeated, swapped, damaged. */
static void make_garbage(struct sf_strbuf *out, enum sf_wire_format format, uint32_t *seed)
{
    size_t lines = next_random(seed) % 12;

    for (size_t i = 0; i < lines; i++) {
        size_t pick = next_random(seed) % SF_COUNT(cases);
        const char *line = cases[pick].events;
        size_t n;

        if (cases[pick].format != format && next_random(seed) % 8)
            continue;
        for (size_t skip = next_random(seed) % 20; skip && strchr(line, '\n')[1]; skip--)
            line = strchr(line, '\n') + 1;
        n = strcspn(line, "\n");
        sf_strbuf_adds(out, next_random(seed) % 10 ? "data: " : "event: error\ndata:");
        for (size_t at = 0; at < n; at++)
            sf_strbuf_add(out, line[at] == '\'' ? "\"" : line + at, 1);
        sf_strbuf_adds(out, next_random(seed) % 6 ? "\n\n" : "\r\r\n");
    }
    for (size_t i = next_random(seed) % 3; i && out->len; i--) {
        size_t at = next_random(seed) % out->len, n = next_random(seed) % 9;

        n = n < out->len - at ? n : out->len - at;
        sf_strbuf_splice(out, at, n, seed, next_random(seed) % 4);
    }
    if (next_random(seed) % 5 == 0)
        sf_strbuf_truncate(out, next_random(seed) % (out->len + 1));
    for (size_t i = next_random(seed) % 64; i && next_random(seed) % 10 == 0; i--)
        sf_strbuf_add(out, &(unsigned char){ next_random(seed) & 0xff }, 1);
}

static void check_garbage(struct fixture *f, enum sf_wire_format format, uint32_t *seed)
{
    const size_t cuts[] = { 1 + next_random(seed) % 70, 1 + next_random(seed) % 7, 0 };

    restart(&f->log);
    restart(&f->whole);
    stream_log_run(&f->log, format, f->body.buf, f->body.len, cuts);
    stream_log_run(&f->whole, format, f->body.buf, f->body.len, NULL);
    if (f->log.ends != 1 || f->log.after_end || strcmp(f->log.text.buf, f->whole.text.buf) != 0)
        fail_msg("%s\nbecame %s", f->body.buf, f->log.text.buf);
    /* what is cut short never comes out as a call */
    if (strstr(f->log.text.buf, "end length") && f->log.bad_calls)
        fail_msg("%s\nbecame %s", f->body.buf, f->log.text.buf);
}

static void test_garbage(void **state)
{
    struct fixture *f = *state;
    size_t ended = 0;
    uint32_t seed = 20260801;

    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        for (int i = 0; i < GARBAGE_STREAMS; i++) {
            sf_strbuf_reset(&f->body);
            make_garbage(&f->body, (enum sf_wire_format)format, &seed);
            check_garbage(f, (enum sf_wire_format)format, &seed);
            ended += f->log.fault == SF_FAULT_NONE;
        }
    }
    print_message("%zu of %d streams ended well\n", ended, 3 * GARBAGE_STREAMS);
    assert_in_range(ended, 1000, 29000); /* the garbage is neither all good nor all bad */
}

/* Every prefix of every good stream: an end only where the stream had said so. */
static void test_prefixes_start_no_call(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        sf_strbuf_reset(&f->body);
        stream_log_body(&f->body, cases[i].events);
        restart(&f->whole);
        stream_log_run(&f->whole, cases[i].format, f->body.buf, f->body.len, NULL);
        for (size_t n = 0; n < f->body.len; n++) {
            restart(&f->log);
            stream_log_run(&f->log, cases[i].format, f->body.buf, n, NULL);
            if (f->log.ends != 1 ||
                (f->log.fault == SF_FAULT_NONE && f->log.bad_calls > f->whole.bad_calls))
                fail_msg("%s, %zu bytes: %s", cases[i].name, n, f->log.text.buf);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_streams, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(test_floods, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_block_has_a_ceiling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_feeding_the_dead, setup, teardown),
        cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_prefixes_start_no_call, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
